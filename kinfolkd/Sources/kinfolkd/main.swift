import HTTPTransport
print("hello")
