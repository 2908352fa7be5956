import { userSessions } from "@metrum/contract/access";
import { record, serve, withMessage, type Api } from "#core";
import { manageableUser } from "#access/users";
import { endSessionsOf } from "./sessionStore.ts";

/** Administrators may end the sessions of users they may edit: security rule 2.1. */
export function serveUserSessions(api: Api): void {
  serve(api, userSessions, {
    endAll: async ({ params }, ctx) => {
      const userId = await manageableUser(ctx, params.id);
      const isOwn = userId === ctx.scope.userId;
      await endSessionsOf(ctx.db, { userId, except: isOwn ? ctx.session.id : undefined });
      ctx.afterCommit(() => ctx.bus.publish("accessChanged", `user:${String(userId)}`));
      await record(ctx, { action: "user.endSessions", subject: `user ${String(userId)}` });
      return withMessage({}, "sessions_ended");
    },
  });
}
