/* A record as the content of a message. */
typedef pair { byte a; byte b };
chan c = [1] of { pair };
pair x, y;
active proctype p() { x.a = 1; x.b = 2; c!x; c?y; assert(y.a == 1 && y.b == 2) }
