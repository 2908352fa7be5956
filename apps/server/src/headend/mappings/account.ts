import { problem } from "@metrum/contract/core";
import { mqttAccount as table, type MqttAccount } from "@metrum/contract/metering";
import {
  companyPrefix,
  mqttIssue,
  mqttRefusals,
  mqttUsername,
  renewMqttCredentials,
} from "#headend/channels";
import { deviceHostOf, record, serve, withMessage, type Api, type Ctx } from "#core";

/** Credentials with which a publisher of the company signs in to the embedded broker. */
export function serveMqttAccount(api: Api): void {
  serve(api, table, {
    get: (_, ctx) => shown(ctx),
    async issue(_, ctx) {
      const { db, scope, clock, config } = ctx;
      const { companyId, userId } = scope;
      if (config.mqttUrl !== undefined) throw problem("broker_elsewhere");
      const before = await mqttIssue(db, mqttUsername(companyId));
      const { username, password } = await renewMqttCredentials(db, { companyId, userId, at: clock.now() });
      // Neither password nor hash: more users may read the log than may sign in to the broker.
      await record(ctx, { action: "mqttAccount.issue", subject: username });
      const code = before === undefined ? "mqtt_password_first" : "mqtt_password_issued";
      return withMessage({ account: await shown(ctx), password }, code);
    },
  });
}

const shownSec = 30 * 86_400;

async function shown(ctx: Ctx): Promise<MqttAccount> {
  const { db, config, clock } = ctx;
  const { companyId } = ctx.scope;
  const username = mqttUsername(companyId);
  const issue = await mqttIssue(db, username);
  return {
    username,
    prefix: companyPrefix(companyId),
    address:
      config.mqttUrl === undefined
        ? { host: deviceHostOf(ctx), port: config.mqttPort, tls_port: config.mqtts?.port ?? null }
        : null,
    has_password: issue !== undefined,
    issued_at: issue?.at ?? null,
    issued_by: issue?.by ?? null,
    refusals: await mqttRefusals(db, username, clock.now() - shownSec),
  };
}
