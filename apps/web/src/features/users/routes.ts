import { lazyRouteComponent } from "@tanstack/react-router";
import { screen } from "#lib/screen";

export const screens = [
  screen({
    path: "users",
    right: "1:read",
    texts: ["users", "grid", "settings"],
    menu: { icon: "users", group: "company" },
    component: lazyRouteComponent(() => import("./UsersPage.tsx"), "UsersPage"),
  }),
];
