import type { AedesPublishPacket } from "aedes";
import { createTopicTree } from "./topicTree.ts";

type Deliver = (packet: AedesPublishPacket, done: () => void) => void;

/** Interface that the broker requires of the part that delivers messages to connected subscribers. */
export interface Emitter {
  readonly concurrency: number;
  on(filter: string, deliver: Deliver, done?: () => void): void;
  removeListener(filter: string, deliver: Deliver, done?: () => void): void;
  emit(packet: AedesPublishPacket, done?: (error?: Error) => void): void;
  close(done: () => void): void;
}

/**
 * Delivers each message to every subscriber without waiting for any: a subscriber that does not read would
 * otherwise block the publishers of every company. The backlog of a slow one is limited where it is written.
 */
export function createEmitter(): Emitter {
  const subscribers = createTopicTree<Deliver>();
  let isClosed = false;
  return {
    concurrency: 0,
    on(filter, deliver, done) {
      subscribers.add(filter, deliver);
      if (done) setImmediate(done);
    },
    removeListener(filter, deliver, done) {
      subscribers.remove(filter, deliver);
      if (done) setImmediate(done);
    },
    emit(packet, done) {
      if (isClosed) {
        done?.(new Error("the broker is closed"));
        return;
      }
      for (const deliver of subscribers.match(packet.topic)) deliver(packet, () => undefined);
      done?.();
    },
    close(done) {
      isClosed = true;
      setImmediate(done);
    },
  };
}
