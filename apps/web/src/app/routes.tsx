import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type AnyRoute,
  type RouterHistory,
} from "@tanstack/react-router";
import { loadTexts } from "#lib/i18n";
import { leadTo } from "#lib/screen";
import { storedToken } from "#lib/token";
import { loadSiteOffer } from "#auth";
import { readSearch, writeSearch } from "./address.ts";
import { Root } from "./Root.tsx";
import { RouteFailed } from "./RouteFailed.tsx";
import { Unreached } from "./Unreached.tsx";

interface Context {
  /** Adds the screens below `/cloud` to the tree; false when they are already there. */
  readonly addScreens: (make: (cloud: AnyRoute) => readonly AnyRoute[]) => boolean;
}

const root = createRootRouteWithContext<Context>()({
  component: Root,
  errorComponent: RouteFailed,
  notFoundComponent: () => null,
});

const toLogin = () => {
  leadTo("/auth/login");
};

const home = createRoute({ getParentRoute: () => root, path: "/", beforeLoad: toLogin });
const unknown = createRoute({ getParentRoute: () => root, path: "$", beforeLoad: toLogin });

const loadLogin = async () => {
  const [site] = await Promise.all([loadSiteOffer(), loadTexts("auth")]);
  return site;
};
const loginPage = lazyRouteComponent(() => import("./entry/LoginRoute.tsx"), "LoginRoute");
const login = (path: "auth/login" | "auth/loginNew") =>
  createRoute({
    getParentRoute: () => root,
    path,
    beforeLoad: () => {
      if (storedToken() !== null) leadTo("/cloud");
    },
    loader: loadLogin,
    component: loginPage,
  });

/** Pages linked from letters, before a session exists; lazy chunks. */
const entry = () => import("./entry/entryLoaders.ts");
const registrationForm = createRoute({
  getParentRoute: () => root,
  path: "auth/registration",
  loader: async () => (await entry()).loadRegistration(),
  component: lazyRouteComponent(() => import("./entry/EntryRoutes.tsx"), "RegistrationRoute"),
});
const activation = createRoute({
  getParentRoute: () => root,
  path: "auth/activate/$token",
  loader: async ({ params }) => (await entry()).loadActivation(params.token),
  component: lazyRouteComponent(() => import("./entry/EntryRoutes.tsx"), "ActivateRoute"),
});
const forgot = createRoute({
  getParentRoute: () => root,
  path: "auth/forget",
  loader: async () => (await entry()).loadForgot(),
  component: lazyRouteComponent(() => import("./entry/EntryRoutes.tsx"), "ForgotRoute"),
});
const reset = createRoute({
  getParentRoute: () => root,
  path: "auth/forget/reset/$token",
  loader: async ({ params }) => (await entry()).loadReset(params.token),
  component: lazyRouteComponent(() => import("./entry/EntryRoutes.tsx"), "ResetRoute"),
});

const privacy = createRoute({
  getParentRoute: () => root,
  path: "auth/privacy",
  loader: () => loadTexts("privacy"),
  component: lazyRouteComponent(() => import("../features/auth/PrivacyPage.tsx"), "PrivacyPage"),
});

const logout = createRoute({
  getParentRoute: () => root,
  path: "auth/logout",
  beforeLoad: async () => {
    const { signOut } = await import("./guard.ts");
    await signOut();
    toLogin();
  },
});

/** Server not reachable: part of the entry chunk, because no other chunk can be fetched then. */
const unreached = createRoute({ getParentRoute: () => root, path: "offline", component: Unreached });

const withoutAccess = createRoute({
  getParentRoute: () => root,
  path: "withoutAccess",
  loader: () => loadTexts("shell"),
  component: lazyRouteComponent(() => import("./WithoutAccess.tsx"), "WithoutAccess"),
});

/** A required password change or second factor, before anything else. */
const duty = createRoute({
  getParentRoute: () => root,
  path: "duty",
  loader: async () => {
    const [{ guardDuty }] = await Promise.all([import("./guardDuty.ts"), loadTexts("profile")]);
    return guardDuty();
  },
  component: lazyRouteComponent(() => import("./entry/DutyRoute.tsx"), "DutyRoute"),
});

/** Platform administration has its own sign-in page. */
const admin = createRoute({
  getParentRoute: () => root,
  path: "admin",
  loader: async ({ location }) => {
    const { guardAdmin } = await import("./guardAdmin.ts");
    if (!(await guardAdmin(location.href))) return loadLogin();
    await loadTexts("shell", "admin", "callers", "grid", "vector");
    return null;
  },
  component: lazyRouteComponent(() => import("./admin/AdminRoute.tsx"), "AdminRoute"),
});

/** Rights and shell are fetched together, and not by the login page. */
const guards = async () => {
  void import("./frame/Shell.tsx");
  return import("./guard.ts");
};

/** Loads all that a screen of the session needs at once, as soon as the texts of all screens are there. */
export function prepare(href: string, started: Promise<void>): void {
  Promise.all([guards(), started]).then(
    ([{ prepareScreen }]) => prepareScreen(href),
    // The router fails for the same reason, and shows it.
    () => undefined,
  );
}

const toDashboard = () => {
  leadTo("/cloud/dashboard");
};

/**
 * Screens that need a session. They join the tree with the first session; then the address is resolved again.
 */
const cloud = createRoute({
  getParentRoute: () => root,
  path: "cloud",
  beforeLoad: async ({ location, context }) => {
    const { guardSession, screenRoutes } = await guards();
    const access = await guardSession(location.href);
    if (context.addScreens(screenRoutes)) leadTo(location.href);
    return { access };
  },
  loader: () => loadTexts("shell"),
  component: lazyRouteComponent(() => import("./frame/Shell.tsx"), "Shell"),
});
const cloudHome = createRoute({ getParentRoute: () => cloud, path: "/", beforeLoad: toDashboard });
const cloudUnknown = createRoute({ getParentRoute: () => cloud, path: "$", beforeLoad: toDashboard });

const cloudEntry = [cloudHome, cloudUnknown];

const tree = root.addChildren([
  home,
  login("auth/login"),
  login("auth/loginNew"),
  privacy,
  registrationForm,
  activation,
  forgot,
  reset,
  logout,
  withoutAccess,
  unreached,
  duty,
  admin,
  cloud.addChildren(cloudEntry),
  unknown,
]);

const makeRouter = (history: RouterHistory, addScreens: Context["addScreens"]) =>
  createRouter({
    routeTree: tree,
    history,
    context: { addScreens },
    parseSearch: readSearch,
    stringifySearch: writeSearch,
    // The progress bar at the top edge shows that a screen is loading; the previous one stays until then.
    defaultPendingMs: Number.POSITIVE_INFINITY,
  });

/** The routes over a history: the hash of the browser, or one in memory for tests. */
export function createAppRouter(history: RouterHistory): AppRouter {
  const router = makeRouter(history, (make) => {
    if ("/cloud/devices" in router.routesById) return false;
    const grown: AnyRoute = cloud;
    grown.addChildren([...cloudEntry, ...make(cloud)]);
    router.setRoutes(router.buildRouteTree());
    return true;
  });
  return router;
}

export type AppRouter = ReturnType<typeof makeRouter>;

declare module "@tanstack/react-router" {
  interface Register {
    router: AppRouter;
  }
}
