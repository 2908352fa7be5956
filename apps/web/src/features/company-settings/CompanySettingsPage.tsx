import { useParams } from "@tanstack/react-router";
import { Suspense } from "react";
import { lazily } from "#lib/load";
import { useTranslation } from "react-i18next";
import { formatOffset, useNow } from "#lib/format";
import { useSession } from "#lib/session";
import { SettingsLayout } from "#ui/settings";
import { Skeleton } from "#ui/skeleton";
import { BrandingSection } from "#branding";
import { CompanyForm } from "./CompanyForm.tsx";
import "./companySettings.css";
import { ControlPolicyForm } from "./ControlPolicyForm.tsx";
import { GapsForm } from "./GapsForm.tsx";
import { sectionOf, type Section } from "./sections.ts";
import { SecurityForm } from "./SecurityForm.tsx";
import { TimeForm } from "./TimeForm.tsx";

const PeakHoursForm = lazily(async () => ({ default: (await import("./PeakHoursForm.tsx")).PeakHoursForm }));
const ServicesSection = lazily(async () => ({
  default: (await import("./ServicesSection.tsx")).ServicesSection,
}));
const ServiceLog = lazily(async () => ({ default: (await import("./ServiceLog.tsx")).ServiceLog }));
const MqttSection = lazily(async () => ({ default: (await import("./MqttSection.tsx")).MqttSection }));
const NetworkServersSection = lazily(async () => ({
  default: (await import("./NetworkServersSection.tsx")).NetworkServersSection,
}));
const RetentionForm = lazily(async () => ({ default: (await import("./RetentionForm.tsx")).RetentionForm }));
const CompanyLog = lazily(async () => ({ default: (await import("./CompanyLog.tsx")).CompanyLog }));

/** Settings of one's own company for its administrators, and its audit log. */
export function CompanySettingsPage() {
  const { t } = useTranslation("companySettings");
  const { company } = useSession();
  const now = useNow();
  const params: Readonly<Record<string, string | undefined>> = useParams({ strict: false });
  const current = sectionOf(params["section"]);
  const item = (id: Section, text?: string) => ({
    id,
    title: t(`section.${id}`),
    text: text ?? t(`about.${id}`),
  });
  return (
    <SettingsLayout
      title={t("title")}
      facts={company.name}
      base="/cloud/company-settings"
      current={current}
      groups={[
        {
          title: t("group.company"),
          items: [
            item("company"),
            item("time", `${formatOffset(now, company.timezone_name)} · ${company.timezone_name}`),
            item("peak-hours", t(`peak.${company.options.peak_hours_zone}`)),
            item("security", company.options.two_factor_required ? t("security.on") : t("security.off")),
            item("design"),
          ],
        },
        {
          title: t("group.services"),
          items: [item("services"), item("service-log"), item("mqtt"), item("lorawan")],
        },
        { title: t("group.log"), items: [item("retention"), item("log")] },
      ]}
    >
      <Suspense fallback={<Skeleton height={320} />}>
        <Chosen section={current ?? "company"} companyId={company.id} />
      </Suspense>
    </SettingsLayout>
  );
}

function Chosen({ section, companyId }: { readonly section: Section; readonly companyId: number }) {
  switch (section) {
    case "company":
      return <CompanyForm />;
    case "time":
      return (
        <>
          <TimeForm />
          <GapsForm />
        </>
      );
    case "peak-hours":
      return <PeakHoursForm />;
    case "security":
      return (
        <>
          <SecurityForm />
          <ControlPolicyForm />
        </>
      );
    case "design":
      return <BrandingSection companyId={companyId} />;
    case "services":
      return <ServicesSection />;
    case "service-log":
      return <ServiceLog />;
    case "mqtt":
      return <MqttSection />;
    case "lorawan":
      return <NetworkServersSection />;
    case "retention":
      return <RetentionForm />;
    case "log":
      return <CompanyLog />;
  }
}
