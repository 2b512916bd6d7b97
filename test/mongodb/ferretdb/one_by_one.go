package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"log"
	"net"
	"sync"
)

const (
	headerSize = 16
	maxMessage = 48_000_000 + headerSize
)

// FerretDB reads and then writes without a lock between the two, so that of two updates of one document at once one is
// lost. MongoDB promises that a command on one document is atomic; letting the commands through one at a time makes
// FerretDB keep that promise too.
var turn sync.Mutex

func serveOneByOne(listener net.Listener, socket string) {
	for {
		client, err := listener.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go func() {
			if err := relay(client, socket); err != nil && err != io.EOF {
				log.Print(err)
			}
		}()
	}
}

// relay passes one connection's messages on, each with its answer: the driver waits for the one before it sends another.
func relay(client net.Conn, socket string) error {
	defer client.Close()
	server, err := net.Dial("unix", socket)
	if err != nil {
		return err
	}
	defer server.Close()
	for {
		request, err := readMessage(client)
		if err != nil {
			return err
		}
		answer, err := ask(server, request)
		if err != nil {
			return err
		}
		if _, err := client.Write(answer); err != nil {
			return err
		}
	}
}

func ask(server net.Conn, request []byte) ([]byte, error) {
	turn.Lock()
	defer turn.Unlock()
	if _, err := server.Write(request); err != nil {
		return nil, err
	}
	return readMessage(server)
}

func readMessage(from net.Conn) ([]byte, error) {
	header := make([]byte, headerSize)
	if _, err := io.ReadFull(from, header); err != nil {
		return nil, err
	}
	size := int(binary.LittleEndian.Uint32(header))
	if size < headerSize || size > maxMessage {
		return nil, fmt.Errorf("a message of %d bytes", size)
	}
	message := make([]byte, size)
	copy(message, header)
	if _, err := io.ReadFull(from, message[headerSize:]); err != nil {
		return nil, err
	}
	return message, nil
}
