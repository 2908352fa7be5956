import { pointDevices, pointTransformers } from "@metrum/contract/accounting";
import { serve, withMessage, type Api } from "#core";
import { checkCorrection, correctTie } from "./corrections/index.ts";
import {
  checkReplacement,
  registersOf,
  replaceDevice,
  tieDevice,
  undoReplacement,
  untieDevice,
} from "./ties/index.ts";
import { setTerm, tieTransformer, untieTransformer } from "./terms/index.ts";

export function servePointDevices(api: Api): void {
  serve(api, pointDevices, {
    tieDevice: async ({ body }, ctx) => {
      await tieDevice(ctx, body);
      return withMessage({}, "point_device_tied");
    },
    untieDevice: async ({ body }, ctx) => {
      await untieDevice(ctx, body);
      return withMessage({}, "point_device_untied");
    },
    replaceDevice: async ({ body }, ctx) => {
      await replaceDevice(ctx, body);
      return withMessage({}, "point_device_replaced");
    },
    checkReplacement: ({ body }, ctx) => checkReplacement(ctx, body),
    undoReplacement: async ({ body }, ctx) => {
      await undoReplacement(ctx, body.accounting_point_id);
      return withMessage({}, "point_replacement_undone");
    },
    registers: ({ body }, ctx) => registersOf(ctx, body),
    checkCorrection: ({ body }, ctx) => checkCorrection(ctx, body),
    correctTie: async ({ body }, ctx) => {
      await correctTie(ctx, body);
      return withMessage({}, "saved");
    },
    setTerm: async ({ body }, ctx) => {
      await setTerm(ctx, body);
      return withMessage({}, "saved");
    },
  });
  serve(api, pointTransformers, {
    tie: async ({ body }, ctx) => {
      await tieTransformer(ctx, body);
      return withMessage({}, "saved");
    },
    untie: async ({ body }, ctx) => {
      await untieTransformer(ctx, body);
      return withMessage({}, "saved");
    },
  });
}
