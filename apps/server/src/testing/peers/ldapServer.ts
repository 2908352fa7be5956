import { createServer, type AddressInfo, type Socket } from "node:net";
import { BerReader, BerWriter, ProtocolOperation as Op, SearchFilter } from "ldapts";
import type { LdapEntry, LdapServer } from "./openLdap.ts";

/** Result codes of RFC 4511. */
const success = 0;
const sizeLimitExceeded = 4;
const noSuchObject = 32;
const invalidCredentials = 49;

/**
 * A directory with as much LDAP as a sign-in needs, for machines without OpenLDAP: simple binds, and searches
 * by equality or by a choice of equalities. A bind without a password succeeds anonymously, as in RFC 4513.
 */
export async function openLdapServer(entries: readonly LdapEntry[]): Promise<LdapServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    let waiting = Buffer.alloc(0);
    socket.on("data", (bytes) => {
      waiting = Buffer.concat([waiting, bytes]);
      for (let size = messageSize(waiting); size > 0 && size <= waiting.length; size = messageSize(waiting)) {
        socket.write(answer(new BerReader(waiting.subarray(0, size)), entries));
        waiting = waiting.subarray(size);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `ldap://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Length of the first message; 0 while it is incomplete. */
function messageSize(bytes: Buffer): number {
  const [, first = 0] = bytes;
  if (bytes.length < 2) return 0;
  if (first < 128) return 2 + first;
  const octets = first - 128;
  return bytes.length < 2 + octets ? 0 : 2 + octets + bytes.readUIntBE(2, octets);
}

function answer(message: BerReader, entries: readonly LdapEntry[]): Buffer {
  message.readSequence();
  const id = message.readInt() ?? 0;
  const operation = message.readSequence();
  if (operation === Op.LDAP_REQ_BIND)
    return result(id, Op.LDAP_RES_BIND, judgeBind(message, entries) ? success : invalidCredentials);
  if (operation !== Op.LDAP_REQ_SEARCH) return Buffer.alloc(0);
  const { base, limit, matches } = readSearch(message);
  if (!entries.some(({ dn }) => dn.endsWith(base))) return result(id, Op.LDAP_RES_SEARCH, noSuchObject);
  const found = entries.filter(({ dn, mail }) => dn.endsWith(base) && matches(mail));
  const isTooMuch = limit > 0 && found.length > limit;
  return Buffer.concat([
    ...found.slice(0, limit || undefined).map(({ dn }) => foundEntry(id, dn)),
    result(id, Op.LDAP_RES_SEARCH, isTooMuch ? sizeLimitExceeded : success),
  ]);
}

function judgeBind(message: BerReader, entries: readonly LdapEntry[]): boolean {
  message.readInt();
  const dn = message.readString() ?? "";
  const password = message.readString(0x80) ?? "";
  return password === "" || entries.some((each) => each.dn === dn && each.password === password);
}

function readSearch(message: BerReader) {
  const base = message.readString() ?? "";
  message.readEnumeration();
  message.readEnumeration();
  const limit = message.readInt() ?? 0;
  message.readInt();
  message.readBoolean();
  return { base, limit, matches: readFilter(message) };
}

function readFilter(message: BerReader): (mail: string) => boolean {
  const kind = message.peek();
  message.readSequence();
  const end = message.offset + message.length;
  if (kind === SearchFilter.equalityMatch) {
    const attribute = message.readString();
    const value = message.readString()?.toLowerCase();
    return (mail) => attribute === "mail" && mail.toLowerCase() === value;
  }
  const parts: ((mail: string) => boolean)[] = [];
  while (message.offset < end) parts.push(readFilter(message));
  return (mail) => (kind === SearchFilter.or ? parts.some((is) => is(mail)) : parts.every((is) => is(mail)));
}

function foundEntry(id: number, dn: string): Buffer {
  const writer = new BerWriter();
  writer.startSequence();
  writer.writeInt(id);
  writer.startSequence(Op.LDAP_RES_SEARCH_ENTRY);
  writer.writeString(dn);
  writer.startSequence();
  writer.endSequence();
  writer.endSequence();
  writer.endSequence();
  return writer.buffer;
}

function result(id: number, operation: number, code: number): Buffer {
  const writer = new BerWriter();
  writer.startSequence();
  writer.writeInt(id);
  writer.startSequence(operation);
  writer.writeEnumeration(code);
  writer.writeString("");
  writer.writeString("");
  writer.endSequence();
  writer.endSequence();
  return writer.buffer;
}
