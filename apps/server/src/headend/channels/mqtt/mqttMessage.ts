/** An MQTT message of a company, its prefix still in the topic. */
export interface MqttMessage {
  readonly companyId: number;
  readonly topic: string;
  readonly payload: Uint8Array;
}

/** Resolves when the message is in the database, which is when it may be acknowledged. Rejects only when the database is away. */
export type OnMqttMessage = (message: MqttMessage) => Promise<void>;

/** Prefix under which a company publishes and subscribes. */
export const companyPrefix = (companyId: number): string => `c${companyId}/`;
