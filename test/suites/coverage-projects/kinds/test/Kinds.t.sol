// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import "../src/Flow.sol";
import "../src/Parts.sol";
import "../src/Asm.sol";

contract FlowTest {
    Flow flow;
    Callee callee;

    function setUp() public {
        flow = new Flow();
        callee = new Callee();
    }

    function testTernary() public {
        require(flow.ternary(1) == 1);
        require(flow.ternary(6) == 2);
    }

    function testLogic() public {
        flow.logic(2, 2);
        flow.logic(2, 0);
        flow.logic(0, 5);
    }

    function testLoops() public {
        flow.loops(5);
    }

    function testAttempt() public {
        require(flow.attempt(callee, 5) == 10);
        flow.attempt(callee, 1);
        flow.attempt(callee, 3);
    }

    function testCreate() public {
        flow.create(true);
    }

    function testChecks() public {
        flow.checks(10);
        for (uint256 x = 1; x <= 6; x++) {
            if (x == 2 || x == 3) continue;
            try flow.checks(x) { revert("passed"); } catch {}
        }
    }

    function testMulti() public {
        flow.multi(5, 2);
    }

    function testEmpty() public {
        flow.empty();
        flow.callsEmpty();
        flow.total();
    }
}

contract PartsTest {
    Derived derived;

    function setUp() public {
        derived = new Derived();
    }

    function testSteps() public {
        derived.step(2);
        derived.name();
        try derived.reenter() { revert("passed"); } catch {}
        derived.over(1);
        derived.owner();
    }

    function testSmall() public {
        derived.small(3);
        derived.small(9);
        derived.index(3);
        derived.admin(1);
    }

    function testPrice() public {
        derived.price(1, 2);
    }

    function testFallback() public {
        (bool ok, ) = address(derived).call(hex"01020304");
        require(ok);
        (ok, ) = address(derived).call("");
        require(ok);
    }
}

contract AsmTest {
    Asm a;

    function setUp() public {
        a = new Asm();
    }

    function testClassify() public {
        a.classify(0);
        a.classify(6);
    }

    function testFunctions() public {
        a.functions(2);
    }

    function testStructs() public {
        a.structs(address(this), 3);
    }

    function testBlobs() public {
        a.blobs("");
        a.blobs(hex"010203");
    }

    function testScopes() public {
        a.scopes(10);
    }

    function testLow() public {
        a.low(address(a), abi.encodeCall(a.ptr, (1)));
    }

    function testPtr() public {
        a.ptr(5);
        a.named();
    }
}
