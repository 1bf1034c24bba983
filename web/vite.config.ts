import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

const server = "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: "../src/ultimo/server/static",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // the page's policy allows scripts and styles from files only
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // What every page needs is one file: many small ones would be more bytes.
      output: { advancedChunks: { groups: [{ name: "lib", test: /src.lib.(addresses|api|here|house|me|patience|prefs|router|words)\b/ }] } },
    },
  },
  worker: {
    format: "es",
    rolldownOptions: { output: { entryFileNames: "pocket/[name]-[hash].js", chunkFileNames: "pocket/[name]-[hash].js" } },
  },
  server: {
    proxy: { "/api": server, "/ws": { target: server, ws: true } },
  },
  test: {
    include: ["src/**/*.test.ts"],
    testTimeout: 120_000, // a first import may compile for long on a busy machine; what hangs still ends
    hookTimeout: 120_000,
  },
});
