/** An MQTT message of a company, with its prefix in the topic. */
export interface MqttMessage {
  readonly companyId: number;
  readonly topic: string;
  readonly payload: Uint8Array;
}

/**
 * Resolves when the message is in the database and may be acknowledged. Rejects only when the database is
 * unavailable.
 */
export type OnMqttMessage = (message: MqttMessage) => Promise<void>;

/** Prefix under which a company publishes and subscribes. */
export const companyPrefix = (companyId: number): string => `c${companyId}/`;
