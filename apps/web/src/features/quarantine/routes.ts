import { lazyRouteComponent } from "@tanstack/react-router";
import { screen } from "#lib/screen";

export const screens = [
  screen({
    path: "devices/quarantine",
    right: "4:read",
    palette: { slug: "quarantine", icon: "eyeOff" },
    texts: ["quarantine", "grid"],
    component: lazyRouteComponent(() => import("./QuarantinePage.tsx"), "QuarantinePage"),
  }),
];
