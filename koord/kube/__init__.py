"""The client layer of all components: connections, requests, informers, work queues, leader election, events."""
