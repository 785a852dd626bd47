import devnet from 'devnet/hardhat';
import { defineConfig } from 'hardhat/config';

export default defineConfig({ plugins: [devnet()] });
