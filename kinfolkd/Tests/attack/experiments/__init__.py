"""The experiments, one a file. Each has NAME, PROMISE, and run(scene, length), which gives what was tried and what was found."""
