// A server on Node's HTTP that answers every JSON-RPC request with the same result: the cost of HTTP alone. Prints its URL.
import { createServer } from 'node:http';

const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  const answer = JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, result: '0x7a69' });
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(answer),
  });
  response.end(answer);
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
