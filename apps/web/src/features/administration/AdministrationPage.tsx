import { useParams, useSearch } from "@tanstack/react-router";
import { shell, simulation } from "@metrum/contract/platform";
import { Suspense } from "react";
import { lazily } from "#lib/load";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { useAllowed, useSession } from "#lib/session";
import { SettingsLayout } from "#ui/settings";
import { Skeleton } from "#ui/skeleton";
import "./administration.css";
import { CompaniesSection } from "./CompaniesSection.tsx";
import { designIn } from "./designAddress.ts";
import { DesignOfCompany } from "./DesignOfCompany.tsx";
import { HealthSection } from "./HealthSection.tsx";
import { LettersSection } from "./LettersSection.tsx";
import { LicenceSection } from "./LicenceSection.tsx";
import { sectionsOf, type Section } from "./sections.ts";
import { ServiceLogSection } from "./ServiceLogSection.tsx";
import { ServicesSection } from "./ServicesSection.tsx";
import { UsersSection } from "./UsersSection.tsx";

const TransparentSection = lazily(async () => ({
  default: (await import("./TransparentSection.tsx")).TransparentSection,
}));

const ControlSection = lazily(async () => ({
  default: (await import("./ControlSection.tsx")).ControlSection,
}));

const SimulationSection = lazily(async () => ({
  default: (await import("./SimulationSection.tsx")).SimulationSection,
}));

/** Administration of the whole installation by platform staff. */
export function AdministrationPage() {
  const { t } = useTranslation("administration");
  const { company } = useSession();
  const isAdmin = useAllowed("admin");
  const seesCompanies = useAllowed("2:read");
  const seesDevices = useAllowed("4:read");
  const { data: site } = useCall(
    shell.siteProperties,
    {},
    { isQuiet: true, freshMs: Number.POSITIVE_INFINITY },
  );
  const { data: simulated } = useCall(simulation.state, {}, { isQuiet: true });
  const { section }: Readonly<Record<string, string | undefined>> = useParams({ strict: false });
  const groups = sectionsOf({
    isAdmin,
    seesCompanies,
    seesDevices,
    isServer: site?.build_type === "server",
    isDemo: simulated?.is_available ?? false,
  });
  const open = groups.flatMap(({ sections }) => sections);
  const current = open.find((each) => each === section) ?? null;
  const shown = current ?? open[0];
  const item = (id: Section) => ({ id, title: t(`section.${id}`), text: t(`sectionText.${id}`) });
  return (
    <div className="administration">
      <SettingsLayout
        title={t("title")}
        facts={company.name}
        base="/cloud/administration"
        current={current}
        groups={groups.map(({ id, sections }) => ({ title: t(`group.${id}`), items: sections.map(item) }))}
      >
        {shown === undefined ? null : <Content section={shown} />}
      </SettingsLayout>
    </div>
  );
}

function Content({ section }: { readonly section: Section }) {
  const designOf = designIn(useSearch({ strict: false }));
  switch (section) {
    case "companies":
      return designOf === null ? <CompaniesSection /> : <DesignOfCompany companyId={designOf} />;
    case "users":
      return <UsersSection />;
    case "services":
      return <ServicesSection />;
    case "service-log":
      return <ServiceLogSection />;
    case "health":
      return <HealthSection />;
    case "letters":
      return <LettersSection />;
    case "transparent":
      return (
        <Suspense fallback={<Skeleton height={320} />}>
          <TransparentSection />
        </Suspense>
      );
    case "control":
      return (
        <Suspense fallback={<Skeleton height={320} />}>
          <ControlSection />
        </Suspense>
      );
    case "simulation":
      return (
        <Suspense fallback={<Skeleton height={320} />}>
          <SimulationSection />
        </Suspense>
      );
    case "licence":
      return <LicenceSection />;
  }
}
