/* A jump with a label that means something is a step, but not for who comes to it by its second label. */
active proctype p() {
    byte x;
    if :: x = 1; goto label1 :: x = 3; goto label2 :: x = 4; goto label3 :: x = 5 fi;
    label1: end1: label2: progress3: label3: goto label4;
    skip;
    label4: do :: x == 5; end5: label5: break :: x == 3; end6: break :: goto label5 od
}
