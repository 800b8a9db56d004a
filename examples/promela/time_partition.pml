/*
 * The scheduler of a small real-time kernel with time partitioning, in the
 * spirit of the DEOS study that Groce and Visser tell of. In every period a user
 * thread gets the time it asked for, and then the main thread all the rest until
 * the system tick. A user thread can use up its time (a timer interrupt comes),
 * wait until the next period, or delete itself.
 *
 * expect: assertion
 * fault: line 63 "left[USER] = budget[USER]": what the user thread was charged is not forgotten with the new period, so that a thread that deletes itself after a period it used up gives back more time than there is; first seen in line 60 "running == MAIN ->"; mended by resetting it.
 * pattern: stale-value; story: lines 44, 54, 35 */
#define MAIN	0
#define USER	1
#define PERIOD	3

byte budget[2];		/* time a thread gets in every period */
byte left[2];		/* what is left of it in this one */
byte charged;		/* what the user thread used of its own */
byte time;		/* what is left of the period */
byte periods;		/* how many have passed, up to 3 */
bit running;
bool alive;

active proctype kernel()
{
	d_step {
		budget[USER] = 1;
		budget[MAIN] = PERIOD - 1;
		left[USER] = 1;
		left[MAIN] = PERIOD - 1;
		time = PERIOD;
		alive = true
	}

	do
	:: d_step {	/* who runs next? */
		if
		:: alive && left[USER] > 0 -> running = USER
		:: else -> running = MAIN
		fi;
		assert(left[MAIN] + left[USER] <= time)	/* all get what they asked for */
	   }

	   if
	   :: d_step { running == USER -> printf("TimerInterrupt\n");
		time = time - left[USER];
		charged = left[USER];
		left[USER] = 0
	   }
	   :: d_step { running == USER -> printf("WaitUntilNextPeriod\n");
		time = time - left[USER];
		charged = 0;
		left[USER] = 0
	   }
	   :: d_step { running == USER -> printf("Delete\n");
		alive = false;
		left[MAIN] = left[MAIN] + left[USER] + charged;
		budget[MAIN] = PERIOD;
		budget[USER] = 0; left[USER] = 0; charged = 0
	   }
	   :: d_step { running == MAIN -> printf("SystemTick\n");
		periods = (periods < 3 -> periods + 1 : periods);
		time = PERIOD;
		left[USER] = budget[USER];
		left[MAIN] = budget[MAIN]
	   }
	   fi
	od
}
