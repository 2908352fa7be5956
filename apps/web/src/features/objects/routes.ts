import { lazyRouteComponent } from "@tanstack/react-router";
import { screen } from "#lib/screen";

export const screens = [
  screen({
    path: "objects",
    right: "6:read",
    texts: ["objects", "objectTabs", "devices", "grid"],
    menu: { icon: "objects", group: "work" },
    component: lazyRouteComponent(() => import("./ObjectsPage.tsx"), "ObjectsPage"),
  }),
];
