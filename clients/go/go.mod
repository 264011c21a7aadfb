module pushpit.test/pushpit

go 1.19
