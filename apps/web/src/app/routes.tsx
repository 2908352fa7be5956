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
  /** Puts the screens below `/cloud` into the tree; false when they are there already. */
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
const loginPage = lazyRouteComponent(() => import("./LoginRoute.tsx"), "LoginRoute");
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

/** What happens by letter before a session exists; its code comes when it is asked for. */
const entry = () => import("./entryLoaders.ts");
const registrationForm = createRoute({
  getParentRoute: () => root,
  path: "auth/registration",
  loader: async () => (await entry()).loadRegistration(),
  component: lazyRouteComponent(() => import("./EntryRoutes.tsx"), "RegistrationRoute"),
});
const activation = createRoute({
  getParentRoute: () => root,
  path: "auth/activate/$token",
  loader: async ({ params }) => (await entry()).loadActivation(params.token),
  component: lazyRouteComponent(() => import("./EntryRoutes.tsx"), "ActivateRoute"),
});
const forgot = createRoute({
  getParentRoute: () => root,
  path: "auth/forget",
  loader: async () => (await entry()).loadForgot(),
  component: lazyRouteComponent(() => import("./EntryRoutes.tsx"), "ForgotRoute"),
});
const reset = createRoute({
  getParentRoute: () => root,
  path: "auth/forget/reset/$token",
  loader: async ({ params }) => (await entry()).loadReset(params.token),
  component: lazyRouteComponent(() => import("./EntryRoutes.tsx"), "ResetRoute"),
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

/** Nobody answers: part of the entry, for then no chunk can be fetched either. */
const unreached = createRoute({ getParentRoute: () => root, path: "offline", component: Unreached });

const withoutAccess = createRoute({
  getParentRoute: () => root,
  path: "withoutAccess",
  loader: () => loadTexts("shell"),
  component: lazyRouteComponent(() => import("./WithoutAccess.tsx"), "WithoutAccess"),
});

/** A password to change or a second factor to set up, before anything else. */
const duty = createRoute({
  getParentRoute: () => root,
  path: "duty",
  loader: async () => {
    const [{ guardDuty }] = await Promise.all([import("./guardDuty.ts"), loadTexts("profile")]);
    return guardDuty();
  },
  component: lazyRouteComponent(() => import("./DutyRoute.tsx"), "DutyRoute"),
});

/** Platform administration signs in on its own page. */
const admin = createRoute({
  getParentRoute: () => root,
  path: "admin",
  loader: async ({ location }) => {
    const { guardAdmin } = await import("./guardAdmin.ts");
    if (!(await guardAdmin(location.href))) return loadLogin();
    await loadTexts("shell", "admin", "grid", "vector");
    return null;
  },
  component: lazyRouteComponent(() => import("./AdminRoute.tsx"), "AdminRoute"),
});

/** Rights and the shell are fetched together, and not by the login page. */
const guards = async () => {
  void import("./Shell.tsx");
  return import("./guard.ts");
};

const toDashboard = () => {
  leadTo("/cloud/dashboard");
};

/** Everything that needs a session. Its screens join the tree with the first session; then the address is read once more. */
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
  component: lazyRouteComponent(() => import("./Shell.tsx"), "Shell"),
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
    // The line at the top edge says that a screen is on its way; the one before stays until it is there.
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
