; Objects that give their name to the functions in them; asked only of files that have such functions.
(pair value: (object)) @group
