import { companies, devices, polling, users } from "@metrum/contract";
import { useTranslation } from "react-i18next";
import { queryClient, send, useCall } from "#lib/call";
import { changeLanguage, currentLanguage, languageNames, languages } from "#lib/i18n";
import { menuOf, saveSettings, useAllowed, useSession } from "#lib/session";
import { setTheme, storedTheme, themes } from "#lib/theme";
import { snack } from "#ui/snackbar";
import { iconPaths, type IconName } from "#ui/icon";
import { isOpenTo } from "../screenGuards.ts";
import { menuScreenOf, screens } from "../screens.ts";
import { recentEntries } from "./recent.ts";
import { inGroups, matchingEntries, type Entry } from "./results.ts";

const themeIcons = { system: "monitor", light: "sun", dark: "moon" } as const;

/** Matching entries: from memory at once, from the server as soon as it answers. */
export function useEntries(search: string, pathname: string) {
  const own = [...useRecent(), ...useCommands(pathname), ...useScreens()];
  const found = useFound(search.trim());
  return {
    entries: inGroups([...matchingEntries(own, search), ...found.entries]),
    isAsking: found.isAsking,
    hasFailed: found.hasFailed,
  };
}

function useRecent(): readonly Entry[] {
  return recentEntries().map(({ icon, text, ...each }) => ({
    ...each,
    group: "recent",
    icon: isIcon(icon) ? icon : "clock",
    ...(text === undefined ? {} : { text }),
  }));
}

const isIcon = (name: string): name is IconName => name in iconPaths;

function useScreens(): readonly Entry[] {
  const { t } = useTranslation("shell");
  const session = useSession();
  const { access, company } = session;
  const entry = (slug: string, icon: IconName, path: string): Entry => ({
    id: slug,
    group: "screens",
    title: t(`menu.${slug}`),
    icon,
    href: `#/cloud/${path.replace("/{-$section}", "")}`,
  });
  return [
    ...menuOf(access, company.is_dealer).flatMap(({ slug }) => {
      const screen = menuScreenOf(slug);
      return screen?.component === undefined ? [] : [entry(slug, screen.menu.icon, slug)];
    }),
    ...screens.flatMap(({ path, right, palette }) =>
      palette !== undefined && isOpenTo(access, { right }) && (palette.isShown?.(session) ?? true)
        ? [entry(palette.slug, palette.icon, path)]
        : [],
    ),
  ];
}

function useCommands(pathname: string): readonly Entry[] {
  const { t } = useTranslation("shell");
  const mayPoll = useAllowed(polling.run.right ?? null);
  const device = Number(/^\/cloud\/devices\/data\/(\d+)/.exec(pathname)?.[1] ?? NaN);
  const poll = () =>
    void send(polling.run, { body: { device_id: device, run: true } }).then(
      () => snack(t("palette.polled")),
      () => undefined,
    );
  const command = (id: string, title: string, icon: IconName, run: () => void): Entry => ({
    id,
    group: "commands",
    title,
    icon,
    run,
  });
  return [
    ...(mayPoll && Number.isInteger(device) ? [command("poll", t("palette.poll"), "refresh", poll)] : []),
    ...themes
      .filter((each) => each !== storedTheme())
      .map((each) =>
        command(`theme.${each}`, t("palette.theme", { theme: t(`user.${each}`) }), themeIcons[each], () => {
          setTheme(each);
          saveSettings({ theme: each });
        }),
      ),
    ...languages
      .filter((each) => each !== currentLanguage())
      .map((each) =>
        command(`language.${each}`, t("palette.language", { language: languageNames[each] }), "globe", () => {
          void changeLanguage(each).then(() => queryClient.invalidateQueries());
        }),
      ),
    command("signOut", t("user.signOut"), "signOut", () => {
      location.hash = "#/auth/logout";
    }),
  ];
}

interface Found {
  readonly entries: readonly Entry[];
  readonly isAsking: boolean;
  /** Pending requests may still bring matches. */
  readonly hasFailed: boolean;
}

/** No requests that the rights would refuse, nor for a single letter. */
function useFound(search: string): Found {
  const isTyped = search.length >= 2;
  const found = [useMeters(search, isTyped), useCompanies(search, isTyped), usePeople(search, isTyped)];
  return {
    isAsking: isTyped && found.some((each) => each.isAsking),
    hasFailed: isTyped && found.some((each) => each.hasFailed),
    entries: isTyped ? found.flatMap((each) => each.entries) : [],
  };
}

const pageOf = (search: string) => ({ body: { page: 1, per_page: 10, search_string: search } });
const quiet = { isQuiet: true, freshMs: 60_000 };

function useMeters(search: string, isTyped: boolean): Found {
  const isEnabled = useAllowed(devices.list.right ?? null) && isTyped;
  const { data, isLoading, isError } = useCall(devices.list, pageOf(search), { ...quiet, isEnabled });
  const entries = (data?.metering_devices.data ?? []).map(({ id, name, deviceID, model_title }): Entry => ({
    id: `device.${String(id)}`,
    group: "devices",
    title: name ?? deviceID ?? String(id),
    text: [deviceID, model_title].filter(Boolean).join(", "),
    icon: "devices",
    href: `#/cloud/devices/data/${String(id)}`,
  }));
  return { entries, isAsking: isLoading, hasFailed: isError };
}

function useCompanies(search: string, isTyped: boolean): Found {
  const { company } = useSession();
  const isEnabled = useAllowed(companies.list.right ?? null) && company.is_dealer && isTyped;
  const { data, isLoading, isError } = useCall(companies.list, pageOf(search), { ...quiet, isEnabled });
  const entries = (data?.companies.data ?? []).map(({ id, name, inn }): Entry => ({
    id: `company.${String(id)}`,
    group: "companies",
    title: name,
    text: inn,
    icon: "companies",
    href: `#/cloud/companies?q=${encodeURIComponent(name)}`,
  }));
  return { entries, isAsking: isLoading, hasFailed: isError };
}

function usePeople(search: string, isTyped: boolean): Found {
  const isEnabled = useAllowed(users.list.right ?? null) && isTyped;
  const { data, isLoading, isError } = useCall(users.list, pageOf(search), { ...quiet, isEnabled });
  const entries = (data?.users ?? []).map(({ id, name, email }): Entry => ({
    id: `user.${String(id)}`,
    group: "users",
    title: name,
    text: email,
    icon: "users",
    href: `#/cloud/users?q=${encodeURIComponent(email)}`,
  }));
  return { entries, isAsking: isLoading, hasFailed: isError };
}
