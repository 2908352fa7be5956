import { lazyRouteComponent } from "@tanstack/react-router";
import { screen } from "#lib/screen";

export const screens = [
  /** For provider staff only: other users see the link with a lock. */
  screen({
    path: "administration/{-$section}",
    right: "platform",
    texts: ["administration", "freeze", "settings", "grid"],
    palette: { slug: "administration", icon: "administration" },
    component: lazyRouteComponent(() => import("./AdministrationPage.tsx"), "AdministrationPage"),
  }),
];
