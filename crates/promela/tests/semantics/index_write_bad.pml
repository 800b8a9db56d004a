/* Writing outside an array is an error, and the search goes on. */
byte a[3], i = 3;
active proctype p() { a[i] = 1; i = 0 }
