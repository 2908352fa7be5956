import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { loadTexts } from "#lib/i18n";
import { signOut } from "#lib/session";
import { storedToken } from "#lib/token";
import { readSearch, writeSearch } from "./address.ts";
import { guardSession } from "./guard.ts";
import { deniedTo, firstScreen, moduleRoutes } from "./modules.ts";
import { Root } from "./Root.tsx";
import { RouteFailed } from "./RouteFailed.tsx";

const root = createRootRoute({
  component: Root,
  errorComponent: RouteFailed,
  notFoundComponent: () => null,
});

const toLogin = () => {
  throw redirect({ to: "/auth/login", replace: true });
};

const home = createRoute({ getParentRoute: () => root, path: "/", beforeLoad: toLogin });
const unknown = createRoute({ getParentRoute: () => root, path: "$", beforeLoad: toLogin });

const loginPage = lazyRouteComponent(() => import("./LoginRoute.tsx"), "LoginRoute");
const login = (path: "auth/login" | "auth/loginNew") =>
  createRoute({
    getParentRoute: () => root,
    path,
    beforeLoad: () => {
      if (storedToken() !== null) throw redirect({ to: "/cloud", replace: true });
    },
    loader: () => loadTexts("auth"),
    component: loginPage,
  });

const logout = createRoute({
  getParentRoute: () => root,
  path: "auth/logout",
  beforeLoad: async () => {
    await signOut();
    toLogin();
  },
});

const withoutAccess = createRoute({
  getParentRoute: () => root,
  path: "withoutAccess",
  loader: () => loadTexts("shell"),
  component: lazyRouteComponent(() => import("./WithoutAccess.tsx"), "WithoutAccess"),
});

/** Platform administration signs in on its own page. */
const admin = createRoute({
  getParentRoute: () => root,
  path: "admin",
  loader: () => loadTexts("auth", "shell"),
  component: lazyRouteComponent(() => import("./AdminRoute.tsx"), "AdminRoute"),
});

const cloud = createRoute({
  getParentRoute: () => root,
  path: "cloud",
  beforeLoad: async ({ location }) => ({ access: await guardSession(location.href) }),
  loader: () => loadTexts("shell"),
  component: lazyRouteComponent(() => import("./Shell.tsx"), "Shell"),
});

const toDashboard = () => {
  throw redirect({ href: "/cloud/dashboard", replace: true });
};
const cloudHome = createRoute({ getParentRoute: () => cloud, path: "/", beforeLoad: toDashboard });
const cloudUnknown = createRoute({ getParentRoute: () => cloud, path: "$", beforeLoad: toDashboard });

const laterPage = lazyRouteComponent(() => import("./LaterPage.tsx"), "LaterPage");

/** Modules whose screens come with later versions: guarded, and honest about it. */
const laterModules = moduleRoutes
  .filter((each) => !each.hasScreen)
  .map(({ slug }) =>
    createRoute({
      getParentRoute: () => cloud,
      path: slug,
      beforeLoad: ({ context }) => {
        const to =
          deniedTo(slug, context.access) ?? (slug === "dashboard" ? firstScreen(context.access) : null);
        if (to !== null) throw redirect({ href: to, replace: true });
      },
      component: laterPage,
    }),
  );

const guarded = (path: string, isOpen: (access: Parameters<typeof firstScreen>[0]) => boolean) =>
  createRoute({
    getParentRoute: () => cloud,
    path,
    beforeLoad: ({ context }) => {
      if (!isOpen(context.access)) throw redirect({ to: "/withoutAccess", replace: true });
    },
    component: laterPage,
  });
const ownPages = [
  guarded("profile", () => true),
  guarded("company-settings", (access) => access.is_admin),
  guarded("administration", (access) => access.is_platform),
];

const devices = createRoute({
  getParentRoute: () => cloud,
  path: "devices",
  beforeLoad: ({ context }) => {
    const to = deniedTo("devices", context.access);
    if (to !== null) throw redirect({ href: to, replace: true });
  },
});
const deviceList = createRoute({
  getParentRoute: () => devices,
  path: "/",
  loader: () => loadTexts("devices", "grid"),
  component: lazyRouteComponent(() => import("../features/devices/DevicesPage.tsx"), "DevicesPage"),
});

const tree = root.addChildren([
  home,
  login("auth/login"),
  login("auth/loginNew"),
  logout,
  withoutAccess,
  admin,
  cloud.addChildren([
    cloudHome,
    ...laterModules,
    ...ownPages,
    devices.addChildren([deviceList]),
    cloudUnknown,
  ]),
  unknown,
]);

export const router = createRouter({
  routeTree: tree,
  history: createHashHistory(),
  parseSearch: readSearch,
  stringifySearch: writeSearch,
  defaultPendingMs: Number.POSITIVE_INFINITY,
  scrollRestoration: false,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
