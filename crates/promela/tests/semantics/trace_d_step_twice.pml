/* Two messages in one step that a trace does not expect. */
chan c = [3] of { byte };
trace { c!1; c!2 }
active proctype s() { d_step { c!3; c!4 }; end: false }
