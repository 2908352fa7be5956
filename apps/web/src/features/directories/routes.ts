import { lazyRouteComponent } from "@tanstack/react-router";
import { screen } from "#lib/screen";

const right = "6:read";
const texts = ["directories", "grid"];
const consumers = lazyRouteComponent(() => import("./ConsumersPage.tsx"), "ConsumersPage");

/** Balance groups have a screen of their own; their tab is a line of `tabs`. */
export const screens = [
  screen({
    path: "directories",
    right,
    texts,
    menu: { icon: "directories", group: "work" },
    component: consumers,
  }),
  screen({ path: "directories/consumers", right, texts, component: consumers }),
  screen({
    path: "directories/suppliers",
    right,
    palette: { slug: "suppliers", icon: "directories" },
    texts,
    component: lazyRouteComponent(() => import("./SuppliersPage.tsx"), "SuppliersPage"),
  }),
  screen({
    path: "directories/transformers",
    right,
    palette: { slug: "transformers", icon: "directories" },
    texts,
    component: lazyRouteComponent(() => import("./TransformersPage.tsx"), "TransformersPage"),
  }),
];
