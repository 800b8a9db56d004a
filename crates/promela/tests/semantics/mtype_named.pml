/* Named mtypes count on their own. */
mtype:fruit = { apple, pear };
mtype:size = { small, large, huge };
mtype:fruit f = pear; mtype:size s = small;
active proctype p() { assert(apple == 2 && pear == 1); assert(small == 3 && huge == 1); f = apple; s = large }
