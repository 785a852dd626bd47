// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "../src/Vault.sol";

contract VaultTest {
    Vault vault;
    Factory factory;
    Logic logic;

    function setUp() public {
        vault = new Vault();
        factory = new Factory();
        logic = new Logic();
    }

    function test_vault() public {
        vault.deposit();
        vault.withdraw(0);
        require(!vault.withdraw(5));
        require(vault.shares(address(this)) == 0);
    }

    function test_proxy() public {
        Proxy proxy = factory.make(address(logic), bytes32(uint256(1)));
        require(Logic(address(proxy)).setNumber(4) == 8);
        require(proxy.number() == 4);
        try Logic(address(proxy)).fail() {
            revert("no");
        } catch {}
        factory.make(address(logic), bytes32(uint256(2)));
    }

    receive() external payable {}
}
