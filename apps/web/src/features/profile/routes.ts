import { lazyRouteComponent } from "@tanstack/react-router";
import { screen } from "#lib/screen";

export const screens = [
  screen({
    path: "profile/{-$section}",
    right: null,
    texts: ["profile", "settings"],
    palette: { slug: "profile", icon: "users" },
    component: lazyRouteComponent(() => import("./ProfilePage.tsx"), "ProfilePage"),
  }),
];
