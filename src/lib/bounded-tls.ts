// TLS connections to servers of strangers, with a bound on what the other side sends, also as TLS's own messages.
// OpenSSL takes any number of those, such as session tickets, before anything else runs.

import { connect as connectTcp, isIP, type LookupFunction } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls, type TLSSocket } from 'node:tls';

interface Options {
  host: string;
  port: number;
  lookup: LookupFunction;
  /** From the connection's beginning to its end, the handshake included. */
  mostBytes: number;
  /** Called before the connection is cut because more has arrived. */
  onExcess(): void;
}

// Real ones have 3 to 6 kB of certificates. Each signature of a chain that is made to be slow takes 7 ms, and the
// longest chain that OpenSSL would take, half a second.
const MOST_BYTES_OF_HANDSHAKE = 16 * 1024;

/** Connect, as `node:tls` does. */
export function connectBounded({ host, port, lookup, mostBytes, onExcess }: Options): TLSSocket {
  // Through a stream of our own, since Node would pass on what arrives without telling how much it is.
  const tcp = connectTcp({ host, port, lookup });
  let received = 0;
  let isSecure = false;
  const counted = new Duplex({
    read: () => void tcp.resume(),
    write: (chunk, _, done) => void tcp.write(chunk, done),
    final: (done) => void tcp.end(done),
    destroy(error, done) {
      tcp.destroy();
      done(error);
    },
  });
  tcp.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received > (isSecure ? mostBytes : MOST_BYTES_OF_HANDSHAKE)) {
      onExcess();
      counted.destroy();
    } else if (!counted.push(chunk)) tcp.pause();
  });
  tcp.once('end', () => counted.push(null));
  tcp.once('error', (error) => counted.destroy(error));
  tcp.once('close', () => counted.destroy());
  const tls = connectTls({ socket: counted, ...(isIP(host) === 0 && { servername: host }), host });
  tls.once('secureConnect', () => {
    isSecure = true;
  });
  return tls;
}
