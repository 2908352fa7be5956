import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouterHistory,
} from "@tanstack/react-router";
import { loadTexts } from "#lib/i18n";
import { storedToken } from "#lib/token";
import { loadSiteOffer } from "#auth";
import { readSearch, writeSearch } from "./address.ts";
import { leadTo } from "./leadTo.ts";
import { moduleRoutes } from "./modules.ts";
import { Root } from "./Root.tsx";
import { RouteFailed } from "./RouteFailed.tsx";
import { Unreached } from "./Unreached.tsx";

const root = createRootRoute({
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

const cloud = createRoute({
  getParentRoute: () => root,
  path: "cloud",
  beforeLoad: async ({ location }) => {
    const { guardSession, deniedTo, fromDashboard } = await guards();
    return { access: await guardSession(location.href), deniedTo, fromDashboard };
  },
  loader: () => loadTexts("shell"),
  component: lazyRouteComponent(() => import("./Shell.tsx"), "Shell"),
});

const toDashboard = () => {
  leadTo("/cloud/dashboard");
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
          slug === "dashboard"
            ? context.fromDashboard(context.access)
            : context.deniedTo(slug, context.access);
        if (to !== null) leadTo(to);
      },
      component: laterPage,
    }),
  );

/** For provider staff alone: everybody else sees the link with a lock. */
const administrationPage = lazyRouteComponent(
  () => import("../features/administration/AdministrationPage.tsx"),
  "AdministrationPage",
);
const administrationRoute = (path: "administration" | "administration/$section") =>
  createRoute({
    getParentRoute: () => cloud,
    path,
    beforeLoad: ({ context }) => {
      if (!context.access.is_platform) leadTo("/withoutAccess");
    },
    loader: () => loadTexts("administration", "settings", "grid"),
    component: administrationPage,
  });
const administration = [
  administrationRoute("administration"),
  administrationRoute("administration/$section"),
];

const companyList = createRoute({
  getParentRoute: () => cloud,
  path: "companies",
  beforeLoad: ({ context }) => {
    const to = context.deniedTo("companies", context.access);
    if (to !== null) leadTo(to);
  },
  loader: () => loadTexts("companies", "grid"),
  component: lazyRouteComponent(() => import("../features/companies/CompaniesPage.tsx"), "CompaniesPage"),
});

const settingsRoute = (path: "company-settings" | "company-settings/$section") =>
  createRoute({
    getParentRoute: () => cloud,
    path,
    beforeLoad: ({ context }) => {
      if (!context.access.is_admin) leadTo("/withoutAccess");
    },
    loader: () => loadTexts("companySettings", "settings", "grid"),
    component: lazyRouteComponent(
      () => import("../features/company-settings/CompanySettingsPage.tsx"),
      "CompanySettingsPage",
    ),
  });
const companySettings = [settingsRoute("company-settings"), settingsRoute("company-settings/$section")];

const profilePage = lazyRouteComponent(() => import("../features/profile/ProfilePage.tsx"), "ProfilePage");
const profile = (path: "profile" | "profile/$section") =>
  createRoute({
    getParentRoute: () => cloud,
    path,
    loader: () => loadTexts("profile", "settings"),
    component: profilePage,
  });

const userList = createRoute({
  getParentRoute: () => cloud,
  path: "users",
  beforeLoad: ({ context }) => {
    const to = context.deniedTo("users", context.access);
    if (to !== null) leadTo(to);
  },
  loader: () => loadTexts("users", "grid", "settings"),
  component: lazyRouteComponent(() => import("../features/users/UsersPage.tsx"), "UsersPage"),
});

const devices = createRoute({
  getParentRoute: () => cloud,
  path: "devices",
  beforeLoad: ({ context }) => {
    const to = context.deniedTo("devices", context.access);
    if (to !== null) leadTo(to);
  },
});
const deviceList = createRoute({
  getParentRoute: () => devices,
  path: "/",
  loader: () => loadTexts("devices", "grid"),
  component: lazyRouteComponent(() => import("../features/devices/DevicesPage.tsx"), "DevicesPage"),
});
const deviceCodecs = createRoute({
  getParentRoute: () => devices,
  path: "codecs",
  loader: () => loadTexts("codecs"),
  component: lazyRouteComponent(() => import("../features/codecs/CodecsPage.tsx"), "CodecsPage"),
});
const deviceQuarantine = createRoute({
  getParentRoute: () => devices,
  path: "quarantine",
  loader: () => loadTexts("quarantine", "grid"),
  component: lazyRouteComponent(() => import("../features/quarantine/QuarantinePage.tsx"), "QuarantinePage"),
});
const deviceData = createRoute({
  getParentRoute: () => devices,
  path: "data/$id",
  loader: () => loadTexts("devices", "deviceData", "grid", "chart", "dateRange"),
  component: lazyRouteComponent(() => import("../features/device-data/DeviceDataPage.tsx"), "DeviceDataPage"),
});

/** A data page of nothing: said in the words of the specification. */
const deviceNone = createRoute({
  getParentRoute: () => devices,
  path: "data",
  beforeLoad: async () => {
    const { say } = await import("#ui/snackbar");
    void say("msg_84", {}, "error");
    leadTo("/cloud/devices");
  },
});
/** The log of polls is a tab of the data page. */
const deviceLog = createRoute({
  getParentRoute: () => devices,
  path: "logs/metering/$deviceId",
  beforeLoad: ({ params }) => {
    leadTo(`/cloud/devices/data/${encodeURIComponent(params.deviceId)}?tab=journal`);
  },
});

const modelList = createRoute({
  getParentRoute: () => devices,
  path: "models",
  loader: () => loadTexts("models", "grid", "settings"),
  component: lazyRouteComponent(() => import("../features/models/ModelsPage.tsx"), "ModelsPage"),
});
const modelSheet = createRoute({
  getParentRoute: () => devices,
  path: "models/$id",
  loader: () => loadTexts("models", "settings"),
  component: lazyRouteComponent(() => import("../features/models/ModelPage.tsx"), "ModelPage"),
});

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
  cloud.addChildren([
    cloudHome,
    ...laterModules,
    ...administration,
    profile("profile"),
    profile("profile/$section"),
    companyList,
    ...companySettings,
    userList,
    devices.addChildren([
      deviceList,
      deviceNone,
      deviceCodecs,
      deviceQuarantine,
      deviceData,
      deviceLog,
      modelList,
      modelSheet,
    ]),
    cloudUnknown,
  ]),
  unknown,
]);

/** The routes over a history: the hash of the browser, or one in memory for tests. */
export function createAppRouter(history: RouterHistory) {
  return createRouter({
    routeTree: tree,
    history,
    parseSearch: readSearch,
    stringifySearch: writeSearch,
    // The line at the top edge says that a screen is on its way; the one before stays until it is there.
    defaultPendingMs: Number.POSITIVE_INFINITY,
  });
}

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module "@tanstack/react-router" {
  interface Register {
    router: AppRouter;
  }
}
