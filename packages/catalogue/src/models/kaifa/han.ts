import { hanMeter, hanSample } from "../../electricityShapes.ts";
import { defineModel } from "../../model.ts";

/** Kaifa MA304: see `hanMeter`. Not yet read from a real meter. */
export const kaifaHan = defineModel({
  ...hanMeter(),
  id: 722,
  brand: "Kaifa",
  title: "MA304 (HAN)",
  samples: [
    hanSample({
      payload:
        "7ea0994141131113e6e7000f000000000c07ea0b150609280000800000021209074b464d5f30303109103639373036333134303030303030343209084d413330344833450600000dd80600000000060000045c0600000000060000148206000012ca06000017b606000008fd060000090a06000008fa090c07ea0b1506092800008000000600bc614e06000030d4060030fca006000154d29c717e",
      source: "made by hand from the description of the list, 2026-11",
    }),
  ],
});
