import { shell } from "@metrum/contract";
import { QueryClientProvider } from "@tanstack/react-query";
import { Outlet, useRouterState } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { queryClient, useCall } from "#lib/call";
import { menuOf, useSession } from "#lib/session";
import { onSocketEvent, startLive } from "#lib/socket";
import { isDensity, isTheme, setDensity, setTheme, storedDensity, storedTheme } from "#lib/theme";
import { storedToken } from "#lib/token";
import { snack } from "#ui/snackbar";
import { Boundary } from "#ui/states";
import { MainMenu } from "./MainMenu.tsx";
import { OfflineStrip } from "./OfflineStrip.tsx";
import "./shell.css";
import { TopBar } from "./TopBar.tsx";

/** Everything that needs a session. */
export function Shell() {
  useEffect(() => () => queryClient.clear(), []);
  return (
    <QueryClientProvider client={queryClient}>
      <Frame />
    </QueryClientProvider>
  );
}

/** Bar, menu and the screen between them. */
function Frame() {
  const { t } = useTranslation("common");
  const { access, company } = useSession();
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const [isMenuOpen, setMenuOpen] = useState(false);
  const items = menuOf(access, company.is_dealer);
  useLiveConnection(company.id);
  useStoredTheme();
  useEffect(() => setMenuOpen(false), [pathname]);
  const section = useSectionTitle(pathname);
  return (
    <div className="shell">
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
      <TopBar section={section} isMenuOpen={isMenuOpen} onMenu={() => setMenuOpen(!isMenuOpen)} />
      <OfflineStrip />
      <MainMenu items={items} pathname={pathname} isOpen={isMenuOpen} onClose={() => setMenuOpen(false)} />
      <main className="shell-content" id="content" tabIndex={-1}>
        <Boundary resetKey={pathname}>
          <Suspense fallback={null}>
            <Outlet />
          </Suspense>
        </Boundary>
      </main>
    </div>
  );
}

/** Pages below the first level name themselves more closely. */
function useSectionTitle(pathname: string): string {
  const { t } = useTranslation("shell");
  const slug = pathname.split("/")[2] ?? "";
  const section = slug === "" ? "" : t(`menu.${slug}`);
  useEffect(() => {
    if (section !== "") document.title = `${section} · Metrum`;
  }, [section]);
  return section;
}

function useLiveConnection(companyId: number): void {
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
}

/** Theme and density of the user on a browser that has none of its own yet. */
function useStoredTheme(): void {
  const { theme, density } = useSession().user.settings;
  useEffect(() => {
    if (isDensity(density) && density !== storedDensity()) setDensity(density);
  }, [density]);
  useEffect(() => {
    if (isTheme(theme) && theme !== storedTheme()) setTheme(theme);
  }, [theme]);
}
