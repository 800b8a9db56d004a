/* A random receive of too few parts is an error as well. */
chan q = [3] of { byte, byte };
active proctype A() { q!1,2; q!3,4; q!5,6 }
active proctype B() { q??3; d_step { q??eval(5); skip } }
