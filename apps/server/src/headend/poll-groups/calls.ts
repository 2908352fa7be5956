import { pollGroups } from "@metrum/contract/headend";
import { serve, withMessage, type Api } from "#core";
import {
  changeGroup,
  createGroup,
  groupList,
  moveToGroup,
  openGroup,
  removeGroup,
  switchGroup,
} from "./pollGroups.ts";

export function servePollGroups(api: Api): void {
  serve(api, pollGroups, {
    list: ({ body }, ctx) => groupList(ctx, body),
    get: async ({ params }, ctx) => ({ poll_group: await openGroup(ctx, params.id) }),
    create: async ({ body }, ctx) =>
      withMessage({ poll_group: await createGroup(ctx, body) }, "poll_group_created"),
    update: async ({ body }, ctx) => withMessage({ poll_group: await changeGroup(ctx, body) }, "saved"),
    async switch({ body }, ctx) {
      await switchGroup(ctx, body.id, body.is_active);
      return withMessage({}, body.is_active ? "poll_group_switched_on" : "poll_group_switched_off");
    },
    async replace({ body }, ctx) {
      const count = await moveToGroup(ctx, body.poll_group_id, body.device_ids);
      return withMessage({}, "poll_group_moved", { count });
    },
    async delete({ params }, ctx) {
      await removeGroup(ctx, params.id);
      return withMessage({}, "poll_group_deleted");
    },
  });
}
