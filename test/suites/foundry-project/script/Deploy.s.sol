// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Counter} from "../src/Counter.sol";

interface Vm {
    function envUint(string calldata name) external view returns (uint256);
    function startBroadcast() external;
    function stopBroadcast() external;
}

/// Deploys two counters, one of them through the create2 deployer, and calls them.
contract Deploy {
    bool public constant IS_SCRIPT = true;
    Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    function run() external returns (Counter counter, Counter fixedCounter) {
        vm.startBroadcast();
        counter = new Counter{value: 1 ether}(40);
        fixedCounter = new Counter{salt: bytes32(vm.envUint("SALT"))}(10);
        counter.increment();
        counter.set(counter.number() + 1);
        for (uint256 i; i < 5; i++) fixedCounter.increment();
        payable(address(0xB0b)).transfer(3 ether);
        vm.stopBroadcast();
        require(counter.number() == 42 && fixedCounter.number() == 15, "wrong counts");
    }
}
