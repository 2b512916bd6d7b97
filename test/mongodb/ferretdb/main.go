// A server that speaks MongoDB's protocol over SQLite, for tests on machines without MongoDB:
// `ferretdb <address> <data folder>` prints its URL when it listens and runs until it is told to end.
package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/FerretDB/FerretDB/ferretdb"
)

func main() {
	address, folder := os.Args[1], os.Args[2]
	socket := filepath.Join(folder, "socket")
	os.Remove(socket) // what a killed server left behind
	server, err := ferretdb.New(&ferretdb.Config{
		Listener: ferretdb.ListenerConfig{Unix: socket},
		Handler:  "sqlite",
		// Nothing here outlives the test: no waiting for the disk.
		SQLiteURL: "file:" + folder + "/?_pragma=synchronous(off)",
	})
	if err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	go serveOneByOne(listener, socket)
	fmt.Println("mongodb://" + listener.Addr().String() + "/")
	if err := server.Run(ctx); err != nil {
		log.Fatal(err)
	}
}
