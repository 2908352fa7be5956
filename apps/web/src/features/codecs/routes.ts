import { lazyRouteComponent } from "@tanstack/react-router";
import { screen } from "#lib/screen";

export const screens = [
  screen({
    path: "devices/codecs",
    right: "4:read",
    palette: { slug: "codecs", icon: "settings" },
    texts: ["codecs"],
    component: lazyRouteComponent(() => import("./CodecsPage.tsx"), "CodecsPage"),
  }),
];
