/* Sending on a channel that was never made is an error. */
chan c, d = [1] of { byte };
active proctype p() { if :: d!1 :: skip fi; c!1 }
