module example.com/portico-sample

go 1.19
