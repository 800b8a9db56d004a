/* len, empty, full, nempty and nfull. */
chan c = [2] of { byte };
active proctype p() { assert(empty(c) && nfull(c)); c!1; assert(nempty(c) && nfull(c) && len(c) == 1); c!2; assert(full(c) && len(c) == 2); if :: nfull(c) -> assert(false) :: full(c) -> skip fi }
