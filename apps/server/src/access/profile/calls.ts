import { memberTwoFactor, ownSessions, profile, twoFactor } from "@metrum/contract/access";
import { signInPolicy } from "#access/companies";
import { serve, withMessage, type Api } from "#core";
import { hasTwoFactor, recoveryLeft } from "#access/two-factor";
import { changeAccount, ownUser } from "#access/users";
import { changeOwn, subjectOf } from "./own.ts";
import { changeProfile } from "./profile.ts";
import { accountOf } from "./proof.ts";
import { disable, enable, offerSecret, renewCodes, resetOf } from "./secondFactor.ts";
import { browsersOf, createToken, endOne, endOthers, tokensOf } from "./tokens.ts";

export function serveProfile(api: Api): void {
  serve(api, profile, {
    state: async (_, ctx) => {
      const { system } = ctx.database;
      const account = await accountOf(ctx);
      const { minLength, needsTwoFactor } = await signInPolicy(system, account.company_id);
      return {
        two_factor: {
          is_enabled: await hasTwoFactor(system, account.id),
          is_required: needsTwoFactor,
          recovery_codes_left: await recoveryLeft(system, account.id),
        },
        password_min_length: minLength,
        newsletter_subscribed: account.newsletter_subscribed,
      };
    },
    update: async ({ body }, ctx) => {
      const code = await changeProfile(ctx, body);
      return withMessage({ user: await ownUser(ctx) }, code);
    },
    subscribe: async ({ body: { subscribe } }, ctx) => {
      const account = await accountOf(ctx);
      const entry = {
        action: "profile.subscribe",
        subject: subjectOf(account),
        after: { subscribe },
      } as const;
      await changeOwn(ctx, entry, (db) =>
        changeAccount(db, account.id, { newsletter_subscribed: subscribe }),
      );
      return withMessage({}, subscribe ? "subscribed" : "unsubscribed");
    },
  });
}

export function serveTwoFactor(api: Api): void {
  serve(api, twoFactor, {
    init: (_, ctx) => offerSecret(ctx),
    enable: async ({ body }, ctx) =>
      withMessage({ recovery_codes: await enable(ctx, body) }, "two_factor_on"),
    disable: async ({ body }, ctx) => {
      await disable(ctx, body);
      return withMessage({}, "two_factor_off");
    },
    renewRecovery: async ({ body }, ctx) =>
      withMessage({ recovery_codes: await renewCodes(ctx, body) }, "recovery_codes_made"),
  });
}

export function serveMemberTwoFactor(api: Api): void {
  serve(api, memberTwoFactor, {
    reset: async ({ params }, ctx) => {
      await resetOf(ctx, params.id);
      return withMessage({}, "member_two_factor_off");
    },
  });
}

export function serveOwnSessions(api: Api): void {
  serve(api, ownSessions, {
    list: async (_, ctx) => ({
      sessions: (await browsersOf(ctx)).map(
        ({ id, created_at, last_seen, ip_address, user_agent, current, is_staff }) => ({
          id,
          created_at,
          last_seen,
          ip_address,
          user_agent,
          current,
          is_staff,
        }),
      ),
    }),
    end: async ({ params }, ctx) => {
      await endOne(ctx, params.id);
      return withMessage({}, "session_ended");
    },
    endOthers: async (_, ctx) => {
      await endOthers(ctx);
      return withMessage({}, "other_sessions_ended");
    },
    tokens: async (_, ctx) => ({ tokens: await tokensOf(ctx) }),
    createToken: async ({ body }, ctx) => withMessage(await createToken(ctx, body), "token_created"),
  });
}
