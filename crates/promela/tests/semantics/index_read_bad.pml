/* Reading outside an array is an error. */
byte a[3], i = 7, x;
active proctype p() { x = a[i]; i = 0 }
