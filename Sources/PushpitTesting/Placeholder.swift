// The test kit comes with its first test.
