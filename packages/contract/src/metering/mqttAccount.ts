import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { Seconds } from "../core/values.ts";

/** Why the embedded broker has not done what a client asked for. */
export const mqttRefusalReasons = [
  "topic",
  "filter",
  "password",
  "version",
  "keep_alive",
  "client_id",
  "limit",
  "slow",
] as const;
export type MqttRefusalReason = (typeof mqttRefusalReasons)[number];

const MqttRefusal = z.object({
  reason: z.enum(mqttRefusalReasons),
  detail: z.string().check(z.describe("topic or filter that was refused last; empty for other reasons")),
  count: z.int(),
  last_at: Seconds,
});

const MqttAccount = z.object({
  username: z.string(),
  prefix: z.string().check(z.describe("prefix of all topics")),
  address: z
    .nullable(
      z.object({
        host: z.string(),
        port: z.int(),
        tls_port: z.nullable(z.int()).check(z.describe("null: there is none")),
      }),
    )
    .check(z.describe("address of the embedded broker as configured; null: the broker is external")),
  has_password: z.boolean(),
  issued_at: z.nullable(Seconds).check(z.describe("null: no password, or one not issued by a call")),
  issued_by: z
    .nullable(z.string())
    .check(z.describe("name of the user who issued it; null: not a user of the company")),
  refusals: z
    .array(MqttRefusal)
    .check(z.describe("what the broker has refused to clients of the account in the last 30 days")),
});
export type MqttAccount = z.infer<typeof MqttAccount>;

/** The account of a company at the embedded MQTT broker. */
export const mqttAccount = {
  get: call({
    id: "mqttAccount.get",
    isOwn: true,
    method: "GET",
    path: "company/mqtt_account",
    right: "admin",
    reach: "company",
    summary: "Credentials of the company's publishers for the MQTT broker, without the password",
    reply: MqttAccount,
  }),
  issue: call({
    id: "mqttAccount.issue",
    isOwn: true,
    method: "POST",
    path: "company/mqtt_account/issue",
    right: "admin",
    reach: "company",
    summary: "Issues a password, shown only once; the previous one and its connections end",
    reply: z.object({ account: MqttAccount, password: z.string() }),
    problems: ["broker_elsewhere", "demo_refused", "entered_refused", "token_refused"],
  }),
};
