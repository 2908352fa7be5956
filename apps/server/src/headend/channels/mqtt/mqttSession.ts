/** A message queued for a client until acknowledged, or the last step of a QoS 2 handshake. */
export interface OwedPacket {
  readonly cmd: "publish" | "pubrel";
  readonly brokerId: string;
  /** Number of the message in this broker; the same in every session that queues it. */
  readonly brokerCounter: number;
  readonly topic: string;
  readonly payload: Buffer;
  readonly qos: 0 | 1 | 2;
  readonly retain: boolean;
  readonly dup: boolean;
  /** Packet identifier under which it was sent to the client; undefined: not sent yet. */
  readonly messageId: number | undefined;
}

/**
 * Memory per message in addition to payload and topic: objects, buffer and map entries, measured on Node 20.
 */
const overheadBytes = 600;

/** Maximum QoS 2 handshakes per session; a well-behaved client has at most 100 open. */
const mostHandshakes = 100;

const sizeOf = ({ payload, topic }: OwedPacket): number => payload.length + 2 * topic.length + overheadBytes;

/** Session of one client of one account: subscriptions, queued messages, and QoS 2 handshakes. */
export class MqttSession {
  readonly id: string;
  readonly filters = new Map<string, 0 | 1 | 2>();
  readonly #owed = new Map<number, OwedPacket>();
  readonly #sent = new Map<number, number>();
  readonly #handshakes = new Set<number>();
  #bytes = 0;
  /** Order of last use; the smallest has been offline longest. */
  lastUse = 0;

  constructor(id: string) {
    this.id = id;
  }

  /** Bytes queued. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Oldest first; a message sent before is marked as a duplicate. */
  *owed(): Generator<OwedPacket> {
    for (const counter of [...this.#owed.keys()]) {
      const packet = this.#owed.get(counter);
      if (packet)
        yield packet.messageId === undefined ? packet : { ...packet, dup: packet.cmd === "publish" };
    }
  }

  owe(packet: OwedPacket): void {
    this.#forget(packet.brokerCounter);
    this.#owed.set(packet.brokerCounter, packet);
    this.#bytes += sizeOf(packet);
  }

  /** Records the packet identifier; does nothing when the message is no longer queued. */
  sentAs(counter: number, messageId: number): void {
    const packet = this.#owed.get(counter);
    if (!packet) return;
    this.#owed.set(counter, { ...packet, messageId });
    this.#sent.set(messageId, counter);
  }

  /** PUBREC of this identifier (QoS 2); only PUBREL remains to be sent. */
  received(messageId: number): void {
    const counter = this.#sent.get(messageId);
    const packet = counter === undefined ? undefined : this.#owed.get(counter);
    if (packet) this.owe({ ...packet, cmd: "pubrel", payload: Buffer.alloc(0), topic: "", qos: 0 });
    if (counter !== undefined) this.#sent.set(messageId, counter);
  }

  /** Acknowledged; returns the entry queued under the identifier. */
  settle(messageId: number): OwedPacket | undefined {
    const counter = this.#sent.get(messageId);
    if (counter === undefined) return undefined;
    const packet = this.#owed.get(counter);
    this.#forget(counter);
    return packet;
  }

  /** Drops the oldest messages until the queue is within this size; returns how many. */
  dropTo(bytes: number): number {
    let dropped = 0;
    for (const counter of this.#owed.keys()) {
      if (this.#bytes <= bytes) break;
      this.#forget(counter);
      dropped += 1;
    }
    return dropped;
  }

  beginHandshake(messageId: number): void {
    this.#handshakes.add(messageId);
    const [oldest] = this.#handshakes;
    if (this.#handshakes.size > mostHandshakes && oldest !== undefined) this.#handshakes.delete(oldest);
  }

  hasHandshake(messageId: number): boolean {
    return this.#handshakes.has(messageId);
  }

  endHandshake(messageId: number): boolean {
    return this.#handshakes.delete(messageId);
  }

  forgetHandshakes(): void {
    this.#handshakes.clear();
  }

  #forget(counter: number): void {
    const packet = this.#owed.get(counter);
    if (!packet) return;
    this.#owed.delete(counter);
    this.#bytes -= sizeOf(packet);
    const { messageId } = packet;
    if (messageId !== undefined && this.#sent.get(messageId) === counter) this.#sent.delete(messageId);
  }
}
