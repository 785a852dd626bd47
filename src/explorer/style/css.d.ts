// Style sheets that belong to lazily loaded modules.
declare module '*.css';
