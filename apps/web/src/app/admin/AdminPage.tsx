import { QueryClientProvider } from "@tanstack/react-query";
import { queryClient } from "#lib/call";
import { PlatformAdminPage } from "../../features/platform-admin/PlatformAdminPage.tsx";
import { AdminBar } from "./AdminBar.tsx";

/** The platform administration page with its bar, for a signed-in user. */
export function AdminPage() {
  return (
    <QueryClientProvider client={queryClient}>
      <div className="admin">
        <AdminBar />
        <main>
          <PlatformAdminPage />
        </main>
      </div>
    </QueryClientProvider>
  );
}
