import { shell } from "@metrum/contract/platform";
import { QueryClientProvider } from "@tanstack/react-query";
import { Outlet, useRouterState } from "@tanstack/react-router";
import { Suspense, useCallback, useEffect, useState } from "react";
import { lazily } from "#lib/load";
import { useTranslation } from "react-i18next";
import { ignoreFailure, queryClient, useCall } from "#lib/call";
import { pageTitle, useDesign } from "#lib/design";
import { menuOf, useSession } from "#lib/session";
import { onSocketEvent, startLive } from "#lib/socket";
import { isDensity, isTheme, setDensity, setTheme, storedDensity, storedTheme } from "#lib/theme";
import { storedToken } from "#lib/token";
import { snack, snackHistory } from "#ui/snackbar";
import { Boundary } from "#ui/states";
import { MainMenu } from "./MainMenu.tsx";
import { endArrival, greetingsOf, hasArrived, wasAskedForNews } from "../entry/arrival.ts";
import { useOverlay } from "./overlay.ts";
import { loadReferences } from "./references.ts";
import { entryOf } from "../screens.ts";
import { Strips, useShownExpiry } from "./Strips.tsx";
import "./shell.css";
import "./topBar.css";
import { TopBar } from "./TopBar.tsx";
import { useFold } from "./useFold.ts";

const Palette = lazily(async () => ({ default: (await import("../palette/Palette.tsx")).Palette }));
const ShortcutSheet = lazily(async () => ({ default: (await import("./ShortcutSheet.tsx")).ShortcutSheet }));
const Arrival = lazily(async () => ({ default: (await import("../entry/Arrival.tsx")).Arrival }));

/** Everything that needs a session. */
export function Shell() {
  useEffect(
    () => () => {
      queryClient.clear();
      snackHistory.clear();
    },
    [],
  );
  return (
    <QueryClientProvider client={queryClient}>
      <Frame />
    </QueryClientProvider>
  );
}

/** Bar, menu and the screen between them. */
function Frame() {
  const { t } = useTranslation("common");
  const { access, company, user } = useSession();
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const [isMenuOpen, setMenuOpen] = useState(false);
  const { isFolded, isRail, fold } = useFold(user.id);
  const items = menuOf(access, company.is_dealer);
  useLiveConnection(company.id, user.id);
  useStoredTheme();
  const [overlay, setOverlay] = useOverlay();
  const openPalette = useCallback(() => setOverlay("palette"), [setOverlay]);
  const closeOverlay = () => setOverlay(null);
  useEffect(() => {
    // After the first paint: a screen that needs one of the lists earlier requests it itself.
    const timer = setTimeout(loadReferences);
    return () => clearTimeout(timer);
  }, [company.id]);
  useEffect(() => setMenuOpen(false), [pathname]);
  const section = useSectionTitle(pathname);
  return (
    <div
      className="shell"
      data-entered={access.entered === null ? undefined : ""}
      data-rail={isRail ? "" : undefined}
    >
      <a
        className="skip-link"
        href="#content"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById("content")?.focus();
        }}
      >
        {t("skipToContent")}
      </a>
      <TopBar
        section={section}
        isMenuOpen={isMenuOpen}
        onMenu={() => setMenuOpen(!isMenuOpen)}
        onSearch={openPalette}
      />
      <Strips />
      <MainMenu
        items={items}
        pathname={pathname}
        isOpen={isMenuOpen}
        onClose={() => setMenuOpen(false)}
        isFolded={isFolded}
        onFold={fold}
      />
      <main className="shell-content" id="content" tabIndex={-1}>
        <Boundary resetKey={pathname}>
          <Suspense fallback={null}>
            <Outlet />
          </Suspense>
        </Boundary>
      </main>
      <Boundary resetKey={pathname}>
        <Suspense fallback={null}>
          {overlay === "palette" ? <Palette onClose={closeOverlay} /> : null}
          {overlay === "shortcuts" ? <ShortcutSheet onClose={closeOverlay} /> : null}
          <Greetings />
        </Suspense>
      </Boundary>
    </div>
  );
}

/** Messages shown once, after signing in. */
function Greetings() {
  const { access, user } = useSession();
  const expiry = useShownExpiry();
  const { data: site } = useCall(shell.siteProperties, {}, { isQuiet: true, freshMs: Infinity });
  const greetings = greetingsOf({
    hasArrived: hasArrived(),
    isFirstLogin: user.first_login,
    wasAsked: wasAskedForNews(),
    maySubscribe: !user.is_demo && !access.entered_from_admin,
    hasExpiryDialog: expiry?.hasDialog ?? false,
  });
  const [shown, setShown] = useState<typeof greetings | null>(null);
  const isKnown = site !== undefined;
  useEffect(() => {
    if (!isKnown || shown !== null) return;
    setShown(greetings);
    if (greetings.length === 0) endArrival();
  }, [isKnown, shown, greetings]);
  return shown === null || shown.length === 0 ? null : (
    <Arrival greetings={shown} daysLeft={expiry?.daysLeft ?? null} build={expiry?.build ?? "cloud"} />
  );
}

/** Pages below the first level have a more specific title. */
function useSectionTitle(pathname: string): string {
  const { t } = useTranslation("shell");
  const slug = entryOf(pathname);
  const section = slug === "" ? "" : t(`menu.${slug}`);
  const { title } = useDesign();
  useEffect(() => {
    if (section !== "") document.title = pageTitle(section);
  }, [section, title]);
  return section;
}

function useLiveConnection(companyId: number, userId: number): void {
  const { data: site } = useCall(
    shell.siteProperties,
    {},
    { isQuiet: true, freshMs: Number.POSITIVE_INFINITY },
  );
  const url = site?.socket_url;
  useEffect(() => {
    const token = storedToken();
    return url === undefined || token === null ? undefined : startLive({ url, token, companyId });
  }, [url, companyId]);
  useEffect(() => onSocketEvent("device_event", ({ msg }) => snack({ kind: "event-device", text: msg })), []);
  useEffect(
    () =>
      onSocketEvent("device_task", ({ device_task_id, user_id }) => {
        // Without a connection the list of tasks shows the end later.
        if (user_id === userId)
          import("#tasks").then(({ announceEnd }) => announceEnd(device_task_id)).catch(ignoreFailure);
      }),
    [userId],
  );
}

/** Theme and density of the user in a browser without own settings. */
function useStoredTheme(): void {
  const { theme, density } = useSession().user.settings;
  useEffect(() => {
    if (isDensity(density) && density !== storedDensity()) setDensity(density);
  }, [density]);
  useEffect(() => {
    if (isTheme(theme) && theme !== storedTheme()) setTheme(theme);
  }, [theme]);
}
