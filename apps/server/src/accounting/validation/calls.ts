import { validation } from "@metrum/contract/accounting";
import { serve, withMessage, type Api } from "#core";
import {
  askAgain,
  comment,
  decide,
  exceptionList,
  exceptionSummary,
  openException,
  undo,
  type AskSlots,
} from "./inbox/index.ts";
import { resetOwnRule, rulesOfSubject, saveOwnRule, shownKinds, shownRules } from "./rules/index.ts";

export const serveValidation =
  (askSlots: AskSlots) =>
  (api: Api): void => {
    serve(api, validation, {
      list: ({ body }, ctx) => exceptionList(ctx, body),
      summary: ({ body }, ctx) => exceptionSummary(ctx, body),
      get: ({ body }, ctx) => openException(ctx, body),
      accept: async ({ body }, ctx) => {
        const answer = await decide(ctx, "accept", body);
        return withMessage(answer, "validation_accepted", { count: answer.decided });
      },
      reject: async ({ body }, ctx) => {
        const answer = await decide(ctx, "reject", body);
        return withMessage(answer, "validation_rejected", { count: answer.decided });
      },
      estimate: async ({ body }, ctx) => {
        const answer = await decide(ctx, "estimate", body);
        return answer.decided === 0
          ? withMessage(answer, "validation_impossible")
          : withMessage(answer, "validation_estimated", { count: answer.decided });
      },
      ask: async ({ body }, ctx) => {
        const answer = await askAgain(ctx, body, askSlots);
        return answer.asked === 0
          ? withMessage(answer, "validation_not_asked")
          : withMessage(answer, "validation_asked", { count: answer.asked });
      },
      comment: async ({ body }, ctx) =>
        withMessage({ comments: await comment(ctx, body.exception_id, body.text) }, "saved"),
      undo: async ({ body }, ctx) => {
        const restored = await undo(ctx, body.exception_id);
        return withMessage({ restored }, restored === null ? "validation_nothing" : "validation_undone");
      },
      rules: async ({ body }, ctx) => ({
        kinds: shownKinds(ctx.language),
        ...(await rulesOfSubject(ctx, body)),
      }),
      saveRule: async ({ body }, ctx) => {
        await saveOwnRule(ctx, body);
        return withMessage({ rules: await shownRules(ctx) }, "saved");
      },
      resetRule: async ({ body }, ctx) => {
        await resetOwnRule(ctx, body);
        return withMessage({ rules: await shownRules(ctx) }, "saved");
      },
    });
  };
