import type { AedesPublishPacket } from "aedes";
import { createTopicTree } from "./topicTree.ts";

type Deliver = (packet: AedesPublishPacket, done: () => void) => void;

/** What the broker asks of the part that hands messages to the subscribers who are connected. */
export interface Emitter {
  readonly concurrency: number;
  on(filter: string, deliver: Deliver, done?: () => void): void;
  removeListener(filter: string, deliver: Deliver, done?: () => void): void;
  emit(packet: AedesPublishPacket, done?: (error?: Error) => void): void;
  close(done: () => void): void;
}

/**
 * Hands each message to every subscriber and waits for none of them: a subscriber that does not read would otherwise hold up the
 * publishers of every company. What a slow one may have unread is bounded where it is written to.
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
